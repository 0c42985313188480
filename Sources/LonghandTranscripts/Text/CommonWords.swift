/// The most common words of English.
package enum CommonWords {
  /// Words that say little by themselves: they are weak evidence of a name. In lower case, without apostrophes.
  package static let function: Set<String> = Set(
    """
    a about after again all almost also always am an and another any anything are around as ask at away back be
    because been before being better big both but by call came can could day did do does done down each either else
    end enough even ever every few find first for from gave get give go goes going gone good got great had has have
    he hed help her here hers hes him himself his how however i if ill im in into is isnt it its itself ive just
    keep kind knew know known last later least left less let like little long look looking looks lot made make makes
    man many may maybe me mean men might mine more most much must my myself need never new next night no nor not
    nothing now of off often oh old on once one only or other others our ours out over own part people perhaps put
    quite rather really right said same saw say says see seem seemed seems seen shall she shes should since so some
    something soon still such sure take taken tell than that thats the their them then there theres these they theyre
    thing things think this those though thought three through time to today together told too took toward two under
    until up upon us use used very want wanted was way we well went were weve what whats when where which while who
    whole whom whose why will with within without wont work world would year years yes yet you your youre yours
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Words so common that a recognizer prefers them to a term that sounds the same; `function` included.
  package static let all: Set<String> = function.union(
    """
    able above accept across act action add afraid age ago agree air allow alone along already amount animal answer
    appear apple area arm army arrive art article attack aunt baby bad bag ball bank bar base basic battle bear beat
    beautiful bed begin behind believe bell belong below beside best bet beyond bill bird bit bite black blood blow
    blue board boat body bone book born bottle bottom bought bowl box boy branch bread break breath bridge bright bring
    broken brother brown build building burn bus business busy buy cake camp captain car card care carry case castle
    cat catch cause cell center century certain chair chance change character charge cheap check cheese chest chief
    child children choice choose church circle city class clean clear climb clock close cloth cloud coast coat coffee
    cold color come common company complete consider contain control cook cool copy corn corner correct cost cotton
    count country couple course court cover cow cross crowd cry cup cut dance danger dark date daughter dead deal dear
    death decide deep degree depend desk develop die difference different dinner direct direction discover doctor dog
    dollar door doubt draw dream dress drink drive drop dry during dust duty ear early earth east easy eat edge
    education effect egg eight electric eleven enemy energy engine enjoy enter equal escape evening event everyone
    everything exact example except expect experience explain express eye face fact fail fair fall family famous far
    farm fast fat father favor fear feed feel feet fellow felt few field fifty fight figure fill film final fine finger
    finish fire fish fit five flat floor flow flower fly follow food foot force foreign forest forget form fort
    forward four free fresh friend front fruit full fun game garden gas gate general gentle gentleman girl glad glass
    god gold govern grass gray green ground group grow guard guess guide gun hair half hall hand hang happen happy
    hard hat hate head health hear heart heat heaven heavy held hell hello help high hill history hit hold hole holiday
    home honest honor hope horse hospital hot hotel hour house huge human hundred hungry hunt hurry hurt husband ice
    idea important inch include increase indeed industry inside instead interest iron island job join joy judge jump
    kill king kiss kitchen knee knife knock lady lake lamp land language large laugh law lay lead leaf learn leave leg
    length lesson letter level library lie life lift light limit line lip list listen live living local lock lonely
    lord lose loss loud love low luck lunch machine main map march mark market marry mass master mate matter meal mean
    measure meat meet member memory mental merry message metal method middle mile milk mill mind mine minute miss
    modern moment money month moon morning mother mount mountain mouth move movement mr mrs music name narrow nation
    nature near nearly necessary neck neighbor neither news nice nine noise none noon north nose note notice number
    object ocean offer office officer oil open opinion order ordinary outside page pain paint pair paper parent park
    party pass past path pay peace pen pencil perfect period person picture piece place plain plan plant play please
    pleasure point poor position possible post pound power practice prepare present president press pretty price
    prison private problem produce promise proper property protect proud prove public pull pure push question quick
    quiet quit race radio rain raise reach read ready reason receive record red remain remember repeat reply report
    rest result return rich ride ring rise river road rock roll roof room root rope rose round row rule run rush sad
    safe sail salt sand save scene school science sea search season seat second secret secretary seed sell send sense
    sentence separate serious servant serve service set settle seven several shade shake shape share sharp sheep shine
    ship shirt shoe shoot shop shore short shot shoulder shout show shut sick side sight sign silence silver simple
    sing single sir sister sit six size skin sky sleep slow small smell smile smoke snow social soft soldier son song
    sort soul sound south space speak special speech speed spend spoke spot spring square stage stand star start state
    station stay step stick stone stop store storm story straight strange stream street strength strike strong student
    study stuff stupid succeed sudden suffer sugar suggest suit summer sun supper suppose surface surprise sweet swim
    system table tail talk tall taste tax tea teach teacher team tear ten term terrible test thank thick thin third
    thirty thousand throw thus ticket tie till tired title ton tone tonight tooth top touch town trade train travel
    tree trip trouble true trust truth try turn twelve twenty type uncle understand unit usual valley value various
    view village visit voice wait walk wall war warm wash watch water wave weak wear weather week weight welcome west
    wet wheel white wide wife wild wind window wine winter wise wish woman women wonder wood word work worry worse
    worth write wrong yard yellow yesterday young
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// The words of `all` by their sounds.
  package static let bySound: [[UInt8]: [String]] = Dictionary(grouping: all.sorted()) {
    SpokenText($0).sounds
  }
}
