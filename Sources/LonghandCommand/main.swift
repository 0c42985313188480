import Foundation

StandardStreams.secure()
let status = await Command.run(Array(CommandLine.arguments.dropFirst()))
exit(status)
