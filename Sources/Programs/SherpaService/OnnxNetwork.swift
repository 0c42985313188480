import COnnxRuntime
import NeuralRecognition

/// A network with one input and one output of floating-point numbers, which ONNX Runtime runs on one thread: results do not
/// depend on the number of processors.
final class OnnxNetwork {
  /// Numbers and how many there are in each dimension.
  struct Tensor {
    var values: [Float]
    var shape: [Int64]
  }

  private static let library = OrtGetApiBase().pointee
  private static let maxDimensions = 8

  private let table: OrtTable
  private let input: String
  private let output: String
  private let environment: OpaquePointer
  private let session: OpaquePointer
  private let memory: OpaquePointer

  /// - Parameters:
  ///   - path: the file.
  ///   - input: the name of the input.
  ///   - output: the name of the output.
  /// - Throws: `NeuralError`.
  init(_ path: String, input: String, output: String) throws(NeuralError) {
    guard let table = Self.library.GetApi(UInt32(OrtVersion))?.pointee else {
      let found = Self.library.GetVersionString().map { String(cString: $0) } ?? "unknown"
      throw .version(library: "onnxruntime", found: found, needed: "another")
    }
    (self.table, self.input, self.output) = (table, input, output)
    func made(_ make: (inout OpaquePointer?) -> OpaquePointer?) throws(NeuralError) -> OpaquePointer {
      var object: OpaquePointer?
      let error = make(&object)
      if let error { table.ReleaseStatus(error) }
      guard error == nil, let object else { throw .notLoaded(path) }
      return object
    }
    // What is made before an error ends with the process.
    environment = try made { table.CreateEnv(Int32(OrtErrors), "longhand", &$0) }
    let options = try made { table.CreateSessionOptions(&$0) }
    defer { table.ReleaseSessionOptions(options) }
    // Parts of a recording have many lengths, for each of which memory would be kept.
    for error in [
      table.DisableCpuMemArena(options), table.DisableMemPattern(options),
      table.SetIntraOpNumThreads(options, 1),
      table.SetInterOpNumThreads(options, 1),
    ] {
      guard let error else { continue }
      table.ReleaseStatus(error)
      throw .notLoaded(path)
    }
    session = try made { [environment] in table.CreateSession(environment, path, options, &$0) }
    memory = try made { table.CreateCpuMemoryInfo(Int32(OrtArena), Int32(OrtDefaultMemory), &$0) }
  }

  deinit {
    table.ReleaseMemoryInfo(memory)
    table.ReleaseSession(session)
    table.ReleaseEnv(environment)
  }

  /// - Throws: `NeuralError` if the network fails, or if its output is not made of floating-point numbers.
  func run(_ input: Tensor) throws(NeuralError) -> Tensor {
    var values = input.values
    var result: OpaquePointer?
    let error = values.withUnsafeMutableBytes { bytes in
      guard let data = bytes.baseAddress else { return nil as OpaquePointer? }
      var tensor: OpaquePointer?
      let error = table.CreateTensorWithDataAsOrtValue(
        memory, data, bytes.count, input.shape, input.shape.count, Int32(OrtFloat), &tensor)
      guard error == nil, let tensor else { return error }
      defer { table.ReleaseValue(tensor) }
      return self.input.withCString { name in
        self.output.withCString { output in
          var (name, output): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (name, output)
          var value: OpaquePointer? = tensor
          return table.Run(session, nil, &name, &value, 1, &output, 1, &result)
        }
      }
    }
    if let error { table.ReleaseStatus(error) }
    guard error == nil, let result else { throw .failed("hear voices") }
    defer { table.ReleaseValue(result) }
    guard let tensor = contents(of: result) else { throw .failed("describe what it heard") }
    return tensor
  }

  /// A copy of the numbers in a value; nil if it has others.
  private func contents(of value: OpaquePointer) -> Tensor? {
    func succeeds(_ error: OpaquePointer?) -> Bool {
      if let error { table.ReleaseStatus(error) }
      return error == nil
    }
    var isTensor: Int32 = 0
    var info: OpaquePointer?
    guard succeeds(table.IsTensor(value, &isTensor)), isTensor == 1,
      succeeds(table.GetTensorTypeAndShape(value, &info)), let info
    else { return nil }
    defer { table.ReleaseTensorTypeAndShapeInfo(info) }
    var type: Int32 = 0
    var count = 0
    guard succeeds(table.GetTensorElementType(info, &type)), type == Int32(OrtFloat),
      succeeds(table.GetDimensionsCount(info, &count)), (0...Self.maxDimensions).contains(count)
    else { return nil }
    var shape = [Int64](repeating: 0, count: count)
    var data: UnsafeMutableRawPointer?
    guard succeeds(table.GetDimensions(info, &shape, count)), shape.allSatisfy({ $0 >= 0 }),
      succeeds(table.GetTensorMutableData(value, &data))
    else { return nil }
    // The library has allocated so many.
    let size = Int(shape.reduce(1, *))
    guard size > 0, let data else { return Tensor(values: [], shape: shape) }
    let values = UnsafeRawBufferPointer(start: data, count: size * MemoryLayout<Float>.stride)
    return Tensor(values: Array(values.bindMemory(to: Float.self)), shape: shape)
  }
}
