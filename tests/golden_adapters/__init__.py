"""One module a topic, each with ADAPTERS: method -> function(inputs) -> values.

An adapter calls the library and returns a dict in the shape of the case's `expected`. Keys
that the library does not offer are listed in its module's NOT_OFFERED with the reason.
"""
