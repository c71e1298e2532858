"""What every live example shares: reading fields, tracing a function, writing numbers.

Runs twice from the same files: at build under CPython, to prerender a page, and in the reader's browser.
"""
