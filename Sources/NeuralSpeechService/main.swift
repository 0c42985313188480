import CSherpaOnnx
import Foundation

// The recognizer has its own process, because the library ends its process on some errors.

print(String(cString: SherpaOnnxGetVersionStr()))
