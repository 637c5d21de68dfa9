"""The machine that measures, in words."""
import os
import platform


def description():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} CPUs ({names[0] if names else platform.machine()}), Linux {platform.release()}"
