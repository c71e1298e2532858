"""Settings of the model, its training and the examples, each in one place."""

emb_dim = 32
"""Width of the embeddings and of the residual stream, `d`."""

ff_dim = 128
"""Width between the two feed-forward layers, `F`."""

num_layers = 2
"""Number of transformer blocks."""

block_size = 32
"""Longest context in characters, `T`."""

lr_max = 1e-3
"""Learning rate at the end of warmup."""

lr_min = 1e-4
"""Learning rate at the end of training."""

warmup_steps = 50
"""Steps over which the learning rate rises."""

grad_clip = 1.0
"""Largest joint norm of the gradients."""

beta1 = 0.9
"""Memory of AdamW's first moment."""

beta2 = 0.999
"""Memory of AdamW's second moment."""

adam_eps = 1e-8
"""Added to the root of AdamW's second moment."""

weight_decay = 0.01
"""AdamW's decay per unit of learning rate."""
