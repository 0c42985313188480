/// The commonest words of English, which say little by themselves: a window of nothing else is weak evidence of a name.
enum FunctionWords {
  static let all: Set<String> = Set(
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
}
