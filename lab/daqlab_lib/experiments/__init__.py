"""The thesis's evaluation of daqrings, repeated at the scale of one machine: figures 5.8, 5.10, 6.8, 6.9 and 6.10.

Links are some thousand times slower than in the thesis and events smaller in proportion, so that two CPUs forward what its
servers did; TCP's smallest timeout grows with them. What is compared is therefore never a rate but its ratio to what the
links or daqrings allow, and never a time but its ratio to the time an event takes at that rate.
"""
