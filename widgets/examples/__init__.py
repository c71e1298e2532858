"""The live examples of the site: one module each, named after the example."""
