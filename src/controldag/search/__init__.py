"""Searches over a pruned lattice, from greedy to exact."""
