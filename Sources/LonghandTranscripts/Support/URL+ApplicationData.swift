import Foundation

extension URL {
  /// The platform's folder for application data.
  package static var applicationData: URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return folders.first ?? FileManager.default.homeDirectoryForCurrentUser
  }
}
