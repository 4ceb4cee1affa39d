"""How the verifier is trained: records of many corpora, made false in known ways. Needs torch."""
