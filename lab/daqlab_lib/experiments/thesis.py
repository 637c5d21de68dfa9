"""The thesis's values."""

# Mean latency in serialisation times at parts of an event that the daqring holds
FIGURE_5_8 = ((4096 / 990, 17.2 / 15.6),)
FIGURE_5_10 = ((9000 / 9790, 159 / 156),)
FIGURE_6_9 = {
    ("1 plane, 1 spine", "default TCP"): 0.573, ("1 plane, 1 spine", "daqrings"): 0.467,
    ("1 plane, 1 spine", "rate-limited daqrings"): 0.957,
    ("2 planes, 1 spine", "default TCP"): 0.294, ("2 planes, 1 spine", "daqrings"): 0.223,
    ("2 planes, 1 spine", "rate-limited daqrings"): 0.517,
    ("2 planes, 2 spines", "default TCP"): 0.248, ("2 planes, 2 spines", "daqrings"): 0.227,
    ("2 planes, 2 spines", "rate-limited daqrings"): 0.458,
}
# Figure 6.8g: burst, polling interval (us), limit and share of a DCM (Gbps)
FIGURE_6_8 = {"1 plane, 1 spine": (3, 40, 0.91, 10 / 8), "1 plane, 2 spines": (3, 35, 1.04, 10 / 8),
              "2 planes, 2 spines": (4, 33, 1.47, 20 / 8)}
