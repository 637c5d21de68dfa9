"""docs/benchmarks.md: the numbers last measured are kept as docs/benchmarks/*.json, and the page is written from them."""
