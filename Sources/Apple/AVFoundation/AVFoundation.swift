// On Apple platforms AVFoundation re-exports these; clients count on it.
@_exported import AVFAudio
@_exported import CoreMedia
@_exported import Foundation
