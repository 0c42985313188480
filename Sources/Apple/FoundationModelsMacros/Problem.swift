import SwiftDiagnostics

/// What cannot be generated, and what to do about it.
enum Problem: String, DiagnosticMessage {
  case kind = "'@Generable' can only be attached to a struct or an enum"
  case missingType = "a property of a '@Generable' struct needs a written type, such as 'var name: String'"
  case initializedConstant = "a constant with a value cannot be generated; make it 'static', or a 'var'"
  case pattern = "a property of a '@Generable' struct needs a name of its own"
  case noCases = "a '@Generable' enum needs at least one case"
  case rawType = "a '@Generable' enum may have raw values of type String alone"
  case misplacedGuide = "'@Guide' can only be attached to a stored property of a '@Generable' struct"

  var message: String { rawValue }
  var diagnosticID: MessageID { MessageID(domain: "FoundationModelsMacros", id: "\(self)") }
  var severity: DiagnosticSeverity { .error }
}
