"""Reference implementations in NumPy: AdamW, the warmup-cosine schedule and gradient clipping."""
