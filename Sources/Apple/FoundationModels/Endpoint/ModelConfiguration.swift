import Foundation

/// What the environment says of the language model:
///
/// - `FOUNDATION_MODEL_ENDPOINT`: the address of an OpenAI-compatible server, such as `http://127.0.0.1:8080/v1`.
/// - `FOUNDATION_MODEL_NAME`, `FOUNDATION_MODEL_KEY`: the model's name there, and a key, where the server wants them.
/// - `FOUNDATION_MODEL_CONTEXT_SIZE`: in tokens; 4096 if nothing is said.
/// - `FOUNDATION_MODEL_REMOTE=allowed`: lets the address be another machine's.
enum ModelConfiguration: Sendable, Equatable {
  case none
  /// What is configured is not contacted, for this reason.
  case refused(String)
  case endpoint(ModelEndpoint)

  init(environment: [String: String]) {
    guard let address = environment["FOUNDATION_MODEL_ENDPOINT"], !address.isEmpty else {
      self = .none
      return
    }
    guard
      let endpoint = ModelEndpoint(
        address: address, name: environment["FOUNDATION_MODEL_NAME"],
        key: environment["FOUNDATION_MODEL_KEY"],
        contextSize: environment["FOUNDATION_MODEL_CONTEXT_SIZE"].flatMap { Int($0) })
    else {
      self = .refused(
        "FOUNDATION_MODEL_ENDPOINT is not an HTTP address such as http://127.0.0.1:8080/v1: \(address).")
      return
    }
    if !endpoint.isLoopback, environment["FOUNDATION_MODEL_REMOTE"] != "allowed" {
      self = .refused(
        "\(endpoint.host) is not this machine, and nothing is sent to others. Name a server on 127.0.0.1 in "
          + "FOUNDATION_MODEL_ENDPOINT, or set FOUNDATION_MODEL_REMOTE=allowed.")
    } else if let reason = endpoint.proxyProblem(in: environment) {
      self = .refused(reason)
    } else {
      self = .endpoint(endpoint)
    }
  }
}
