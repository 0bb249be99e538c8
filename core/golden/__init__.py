"""The offline optimum: which atomic retrievals, put together how, find what was wanted."""
