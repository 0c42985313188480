import ServiceSupport

let program = ServiceProgram<Decoder>(
  .pocketSphinx, memory: 2 << 30, isClosed: false,
  others: (" | --model", "  --model    print the folder of the model\n"))

program.run { arguments in
  guard arguments == ["--model"] else { return false }
  print(try Model(locale: Model.locale).folder)
  return true
}
