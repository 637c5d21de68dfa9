def write(numbers, docs):
    pass
