print("speech-service")
