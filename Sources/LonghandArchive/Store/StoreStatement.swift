import Foundation
import SQLite3

/// A prepared statement and its current row. `StoreDatabase` owns the handle.
struct StoreStatement {
  let handle: OpaquePointer

  func bind(_ values: [StoreValue]) -> Int32 {
    for (position, value) in zip(Int32(1)..., values) {
      let code = bind(value, at: position)
      if code != SQLITE_OK { return code }
    }
    return SQLITE_OK
  }

  private func bind(_ value: StoreValue, at position: Int32) -> Int32 {
    // SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the bytes.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: return sqlite3_bind_null(handle, position)
    case .integer(let integer): return sqlite3_bind_int64(handle, position, Int64(integer))
    case .real(let real): return sqlite3_bind_double(handle, position, real)
    case .text(let text):
      // With its length, because a text may contain a NUL, and with an address even if it is empty.
      return text.utf8CString.withUnsafeBufferPointer {
        sqlite3_bind_text64(
          handle, position, $0.baseAddress, UInt64($0.count - 1), copies, UInt8(SQLITE_UTF8))
      }
    case .data(let data):
      return data.withUnsafeBytes {
        sqlite3_bind_blob64(handle, position, $0.baseAddress, UInt64($0.count), copies)
      }
    }
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func data(_ column: Int32) -> Data {
    guard let bytes = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column)))
  }
}

/// A value of a statement or of a row.
enum StoreValue: Sendable {
  case null
  case integer(Int)
  case real(Double)
  case text(String)
  case data(Data)

  init(_ text: String?) { self = text.map(Self.text) ?? .null }
  init(_ integer: Int?) { self = integer.map(Self.integer) ?? .null }
}
