// As on Apple platforms, `import AVFoundation` imports these too.
@_exported import AVFAudio
@_exported import CoreMedia
@_exported import Foundation
