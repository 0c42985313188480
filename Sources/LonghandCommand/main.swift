import Foundation

StandardStreams.secure()
MemoryLimits.set()
let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
exit(status)
