"""Pictures of small graphs as SVG, made from plain lists; knows nothing of models, searches or constraints."""
