/// The spellings that `SpellingRules` makes equal.
enum SpellingTable {
  /// Sounds that some write and others do not.
  static let hesitations: Set = ["uh", "um", "uhm", "erm", "hmm", "hm", "mhm"]

  /// Two words that are written as one today.
  static let joined = [
    "to day": "today", "to morrow": "tomorrow", "to night": "tonight", "can not": "cannot",
    "per cent": "percent",
    "for ever": "forever", "good bye": "goodbye",
  ]

  /// The American spelling of a word.
  static func american(_ word: String) -> String {
    if let known = spellings[word] { return known }
    if let known = word.hasSuffix("s") ? spellings[String(word.dropLast())] : nil { return known + "s" }
    for stem in ourStems where word.contains(stem) {
      return word.replacing(stem, with: stem.dropLast(2) + "r")
    }
    for stem in doubledStems where word.hasPrefix(stem + "l") && word.count > stem.count + 2 {
      return stem + word.dropFirst(stem.count + 1)
    }
    // Both spellings become one of them, also in words that are always written with "ise".
    for (british, american) in endings where word.hasSuffix(british) && word.count > british.count + 2 {
      return word.dropLast(british.count) + american
    }
    return word
  }

  private static let endings = [
    ("ise", "ize"), ("ises", "izes"), ("ised", "ized"), ("ising", "izing"), ("iser", "izer"),
    ("isers", "izers"),
    ("isation", "ization"), ("isations", "izations"), ("yse", "yze"), ("yses", "yzes"), ("ysed", "yzed"),
    ("ysing", "yzing"), ("logue", "log"), ("logues", "logs"),
  ]

  /// Words in "our", and what is made of them.
  private static let ourStems = list(
    """
    arbour, ardour, armour, behaviour, candour, clamour, clangour, colour, demeanour, endeavour, favour, fervour,
    flavour, glamour, harbour, honour, humour, labour, neighbour, odour, parlour, rancour, rigour, rumour, saviour,
    savour, splendour, succour, tumour, valour, vapour, vigour
    """)

  /// Words whose last letter is doubled before an ending.
  private static let doubledStems = list(
    """
    travel, cancel, label, level, model, signal, quarrel, marvel, counsel, fuel, jewel, equal, tunnel, total, rival,
    pedal, dial, duel, carol, shovel, unravel, channel, enamel, panel, grovel, libel, initial, gambol, pencil, apparel,
    bevel, chisel, control, dishevel, drivel, funnel, kennel, shrivel, snivel, swivel, trammel, victual, wool
    """)

  private static let spellings = pairs(
    """
    centre center, centred centered, theatre theater, fibre fiber, litre liter, metre meter, calibre caliber, lustre luster,
    spectre specter, sombre somber, meagre meager, sabre saber, sceptre scepter, sepulchre sepulcher,
    manoeuvre maneuver, manoeuvred maneuvered, kilometre kilometer, centimetre centimeter, millimetre millimeter,
    reconnoitre reconnoiter, defence defense, offence offense, pretence pretense, licence license, practise practice,
    practised practiced, practising practicing, grey gray, greyish grayish, tyre tire, plough plow, ploughed plowed,
    ploughing plowing, ploughman plowman, cheque check, kerb curb, programme program, storey story, whisky whiskey,
    mould mold, moulded molded, mouldy moldy, mouldering moldering, moult molt, smoulder smolder,
    smouldering smoldering, jewellery jewelry, aluminium aluminum, pyjamas pajamas, sceptic skeptic,
    sceptical skeptical, scepticism skepticism, cosy cozy, draught draft, draughts drafts, gaol jail, gaoler jailer,
    waggon wagon, moustache mustache, judgement judgment, acknowledgement acknowledgment, abridgement abridgment,
    ageing aging, axe ax, fulfil fulfill, fulfilment fulfillment, skilful skillful, skilfully skillfully, wilful willful,
    wilfully willfully, instalment installment, enrol enroll, enrolment enrollment, distil distill, instil instill,
    appal appall, encyclopaedia encyclopedia, mediaeval medieval, archaeology archeology, anaesthetic anesthetic,
    paediatric pediatric, foetus fetus, diarrhoea diarrhea, leukaemia leukemia, haemorrhage hemorrhage,
    oesophagus esophagus, oestrogen estrogen, anaemia anemia, aesthetic esthetic, aeon eon, daemon demon,
    connexion connection, reflexion reflection, inflexion inflection, shew show, shewed showed, shewn shown,
    shewing showing, enquire inquire, enquired inquired, enquiring inquiring, enquiry inquiry, enquiries inquiries,
    despatch dispatch, despatched dispatched, gipsy gypsy, gipsies gypsies, sulphur sulfur, sulphuric sulfuric,
    chequered checkered, 
    oh o, okay ok, mamma mama, 

    grandmamma grandmama, thro through, tho though, thru through, altho although,

    """)

  /// `a b, c d` as a table from `a` to `b` and from `c` to `d`.
  private static func pairs(_ text: String) -> [String: String] {
    let words = list(text)
    return Dictionary(
      stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }, uniquingKeysWith: { $1 }
    )
  }

  private static func list(_ text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }
}
