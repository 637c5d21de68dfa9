"""The network, packet by packet and in true time, simulated with ns-3 (docs/simulation.md).

`paths` asks the controller's engine where packets go in a fabric, `network` writes that down for the program of `model/`,
`runner` builds and runs that, `figures` and `farms` say what is simulated, `pages` and `plots` what came of it.
"""
