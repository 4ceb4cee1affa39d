"""What the text must and must not contain: constraints as automata over UTF-8 bytes."""
