// On Apple platforms `import Speech` alone gives clients the sound and time types of its interface.
@_exported import AVFoundation
@_exported import CoreMedia
@_exported import Foundation
