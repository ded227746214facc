"""The community bootstrap: what would the difference be on another network of this kind?"""
