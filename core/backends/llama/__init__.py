"""Language models as GGUF files, run by llama.cpp in a process of their own."""
