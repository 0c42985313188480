#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import LonghandArchive

  /// With mounts and devices as the kernel shows them.
  @Suite struct StorageEncryptionTests {
    private static let mounts = """
      21 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
      22 21 254:1 / /home rw - ext4 /dev/mapper/home rw
      23 22 254:2 / /home/ann rw - ext4 /dev/mapper/ann rw
      24 21 0:44 / /mnt/my\\040vault rw - fuse.gocryptfs /home/b/c rw
      25 21 0:45 / /old rw - ecryptfs /home/.e rw
      26 21 0:46 / /tree rw - btrfs /dev/dm-9 rw
      27 21 0:47 / /run rw - tmpfs tmpfs rw
      28 21 9:0 / /raid rw - ext4 /dev/md0 rw
      a line that is none
      """

    private func name(_ path: String) throws -> String? {
      try Folder.temporary { folder in
        for (device, identity) in [
          ("dev/block/254:1", "CRYPT-LUKS2-0123-home\n"), ("dev/block/254:2", "LVM-abc\n"),
          ("dev/block/254:2/slaves/dm-1", "CRYPT-LUKS2-4567-disk\n"), ("class/block/dm-9", "CRYPT-PLAIN-x\n"),
          ("dev/block/9:0/slaves/dm-3", "CRYPT-LUKS1-1\n"), ("dev/block/9:0/slaves/dm-4", "LVM-2\n"),
        ] {
          let place = folder.appendingPathComponent(device + "/dm")
          try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
          try Data(identity.utf8).write(to: place.appendingPathComponent("uuid"))
        }
        return StorageEncryption(mounts: Self.mounts, devices: folder).name(for: URL(fileURLWithPath: path))
      }
    }

    @Test(arguments: [
      ("/home/bob/library", "dm-crypt"), ("/home/ann/library", "dm-crypt"), ("/tree/x", "dm-crypt"),
      ("/mnt/my vault", "gocryptfs"), ("/mnt/my vault/deep/er", "gocryptfs"), ("/old/l", "eCryptfs"),
    ]) func encryptionIsNamed(_ path: String, _ expected: String) throws {
      #expect(try name(path) == expected)
    }

    /// The third one lies on two disks, of which one is not encrypted.
    @Test(arguments: ["/var/library", "/run/library", "/raid/library", "/homes/x", "/mnt/my"])
    func plainStorageHasNone(_ path: String) throws {
      #expect(try name(path) == nil)
    }

    @Test func thisComputerIsRead() {
      #expect(StorageEncryption.ofThisComputer.mounts.contains(" / "))
    }
  }
#endif
