def draw(numbers):
    pass
