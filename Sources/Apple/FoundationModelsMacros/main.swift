// The compiler starts this program and sends it the declarations with `@Generable` and `@Guide`.
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

struct Provider: PluginProvider {
  struct Unknown: Error { let name: String }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "GenerableMacro": return GenerableMacro.self
    case "GuideMacro": return GuideMacro.self
    default: throw Unknown(name: typeName)
    }
  }
}

let listener = CompilerPluginMessageListener(
  connection: try StandardIOMessageConnection(), provider: Provider())
try listener.main()
