print("longhand")
