#if os(Linux)
  import Foundation

  /// What encrypts the storage of a folder: the file system, or the block device below it.
  struct StorageEncryption {
    /// The content of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
    let mounts: String
    /// The folder of the kernel's devices, `/sys`.
    let devices: URL

    /// The storage of this computer.
    static var ofThisComputer: StorageEncryption {
      StorageEncryption(
        mounts: (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? "",
        devices: URL(fileURLWithPath: "/sys"))
    }

    private static let fileSystems = [
      "ecryptfs": "eCryptfs", "fuse.gocryptfs": "gocryptfs", "fuse.cryfs": "CryFS", "fuse.encfs": "EncFS",
    ]

    /// The name of what encrypts a folder, such as `dm-crypt`; nil if nothing is found that does.
    /// - Parameter folder: a folder that exists.
    func name(for folder: URL) -> String? {
      if Self.isEncryptedByFileSystem(folder) { return "fscrypt" }
      let path = folder.resolvingSymlinksInPath().path
      guard
        let mount = mounts.split(separator: "\n").compactMap(Mount.init).filter({ $0.holds(path) })
          .max(by: { $0.point.count <= $1.point.count })
      else { return nil }
      if let name = Self.fileSystems[mount.type] { return name }
      let device: URL
      if mount.device.hasPrefix("0:") {
        // File systems such as btrfs have a number of their own, and name their device.
        guard mount.source.hasPrefix("/dev/") else { return nil }
        let name = URL(fileURLWithPath: mount.source).resolvingSymlinksInPath().lastPathComponent
        device = devices.appendingPathComponent("class/block/\(name)")
      } else {
        device = devices.appendingPathComponent("dev/block/\(mount.device)")
      }
      return isEncrypted(device, depth: 0) ? "dm-crypt" : nil
    }

    /// Whether the device, or one that it lies on, is encrypted: volumes of LVM lie on an encrypted partition.
    private func isEncrypted(_ device: URL, depth: Int) -> Bool {
      let identity = try? String(contentsOf: device.appendingPathComponent("dm/uuid"), encoding: .utf8)
      if identity?.hasPrefix("CRYPT-") == true { return true }
      let below = device.appendingPathComponent("slaves")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: below.path)) ?? []
      return depth < 8
        && !names.isEmpty
        && names.allSatisfy { isEncrypted(below.appendingPathComponent($0), depth: depth + 1) }
    }

    /// Whether the file system itself encrypts the folder, as ext4 and f2fs can.
    private static func isEncryptedByFileSystem(_ folder: URL) -> Bool {
      let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      // FS_IOC_GETFLAGS, and of its flags FS_ENCRYPT_FL (linux/fs.h).
      var flags: Int = 0
      return ioctl(descriptor, 0x8008_6601, &flags) == 0 && flags & 0x800 != 0
    }
  }

  /// A line of the list of mounts.
  private struct Mount {
    /// The device's numbers, such as `8:1`.
    let device: String
    let point: String
    let type: String
    let source: String

    init?(_ line: Substring) {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard let end = parts.firstIndex(of: "-"), end >= 6, parts.count > end + 2 else { return nil }
      device = String(parts[2])
      point = Self.plain(parts[4])
      type = String(parts[end + 1])
      source = Self.plain(parts[end + 2])
    }

    /// Whether the path lies under the mount's point, unless another mount covers it.
    func holds(_ path: String) -> Bool { point == "/" || path == point || path.hasPrefix(point + "/") }

    /// Spaces and backslashes are written there as octal numbers.
    private static func plain(_ text: Substring) -> String {
      ["\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"].reduce(String(text)) {
        $0.replacingOccurrences(of: $1.key, with: $1.value)
      }
    }
  }
#endif
