// The samples are as their document has them.
// swift-format-ignore-file

// "Fixing domain-specific speech recognition with FoundationModels": its code, unchanged.
import Foundation
import FoundationModels
import Observation
import Testing

@available(iOS 26, *)
@Generable(description: "A normalised training transcript with corrected terminology")
struct NormalisedTranscript: Sendable, Equatable {
    @Guide(description: "Full transcript with domain terms corrected and properly cased")
    var normalisedText: String

    @Guide(description: "Domain terms found in the transcript, each in canonical form")
    var extractedTerms: [String]
}

enum BJJVocabularyHints { static let all = ["Kimura", "Half Guard", "Omoplata"] }

@available(iOS 26, *)
final class TranscriptNormalisationService {
  func checkAvailability() -> SystemLanguageModel.Availability { SystemLanguageModel.default.availability }

func normalise(_ rawTranscript: String, entityNames: [String] = []) async -> NormalisedTranscript {
    let trimmed = rawTranscript.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else {
        return NormalisedTranscript(normalisedText: "", extractedTerms: [])
    }

    guard case .available = checkAvailability() else {
        // Raw transcript returned unchanged — callers are unaffected
        return NormalisedTranscript(normalisedText: trimmed, extractedTerms: [])
    }

    do {
        let session = LanguageModelSession(instructions: Self.sessionInstructions(entityNames: entityNames))
        let result = try await session.respond(to: trimmed, generating: NormalisedTranscript.self)
        return result.content
    } catch {
        return NormalisedTranscript(normalisedText: trimmed, extractedTerms: [])
    }
}

private static func sessionInstructions(entityNames: [String] = []) -> String {
    var base = """
    You are a BJJ transcript corrector. Fix misrecognised terms...
    Known BJJ terms: \(BJJVocabularyHints.all.joined(separator: ", "))
    """
    if !entityNames.isEmpty {
        base += """
        Entity extraction: in extractedTerms, return ONLY names that exactly \
        match this list (preserve exact capitalisation): \
        \(entityNames.joined(separator: ", ")). \
        Return empty extractedTerms if no matches found.
        """
    }
    return base
}

  func correct(_ rawText: String, systemPrompt: String) async throws -> (String, [String]) {
let session = LanguageModelSession(instructions: systemPrompt)
let response = try await session.respond(
    to: "Correct this transcript:\n\n\(rawText)",
    generating: NormalisedTranscript.self
)
let corrected = response.content.normalisedText
let terms = response.content.extractedTerms // ["Kimura", "Half Guard"]
    return (corrected, terms)
  }

  static func instructions(_ names: [String]) -> String { sessionInstructions(entityNames: names) }
}

// No @available — works on all iOS versions
struct NormalisedTranscriptResult {
    let normalisedText: String
    let extractedTerms: [String]
}

@Observable @MainActor
final class VoiceNormalisationCoordinator {
    private var service: AnyObject? // TranscriptNormalisationService on iOS 26+
    var entityNames: [String] = [] // injected before recording

    func setup() {
        if #available(iOS 26, *) {
            service = TranscriptNormalisationService()
        }
    }

    func normalise(_ rawText: String) async -> NormalisedTranscriptResult {
        guard #available(iOS 26, *), let s = service as? TranscriptNormalisationService else {
            return NormalisedTranscriptResult(normalisedText: rawText, extractedTerms: [])
        }
        let result = await s.normalise(rawText, entityNames: entityNames)
        return NormalisedTranscriptResult(
            normalisedText: result.normalisedText,
            extractedTerms: result.extractedTerms
        )
    }
}

/// What the document's app has beside its coordinator.
private struct Named { var name: String }
private struct EntityAnalyzer {
  func analyze(notes: String, inputs: [String]) -> [String] { inputs.filter(notes.contains) }
}

@Suite struct NormalizationSampleTests {
  @MainActor @Test func coordinatorReturnsTheTextAlsoWithoutAModel() async {
    let normalisationCoordinator = VoiceNormalisationCoordinator()
    let (positions, submissions, people) = ([Named(name: "Half Guard")], [Named(name: "Kimura")], [Named]())
normalisationCoordinator.entityNames = positions.map(\.name) + submissions.map(\.name) + people.map(\.name)
    let raw = await normalisationCoordinator.normalise(" worked my kimora ")
    #expect(raw.normalisedText == " worked my kimora ")
    normalisationCoordinator.setup()
    let normalised = await normalisationCoordinator.normalise(" worked my Kimura ")
    // No model is configured here.
    #expect(normalised.normalisedText == "worked my Kimura")
    let (entityAnalyzer, analysisInputs) = (EntityAnalyzer(), normalisationCoordinator.entityNames)
let analysisText = normalised.extractedTerms.isEmpty
    ? normalised.normalisedText // fallback: full text, fuzzy match
    : normalised.extractedTerms.joined(separator: " ") // precise: known entities only
let matches = entityAnalyzer.analyze(notes: analysisText, inputs: analysisInputs)
    #expect(matches == ["Kimura"])
  }

  @Test func instructionsNameTheEntities() {
    #expect(TranscriptNormalisationService.instructions(["Kimura"]).contains("capitalisation): Kimura."))
    #expect(!TranscriptNormalisationService.instructions([]).contains("Entity extraction"))
  }
}
