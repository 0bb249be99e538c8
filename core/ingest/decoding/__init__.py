"""Files to pixels, in processes that may crash: every format, within limits."""
