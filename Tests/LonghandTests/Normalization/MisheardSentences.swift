/// What PocketSphinx with its general English model wrote for the sentences of `Tests/EndToEnd/Domains`, each spoken by one
/// of flite's voices (`flite -voice VOICE -t SENTENCE -o FILE.wav`, then `longhand transcribe FILE.wav` without a
/// vocabulary), as it was: domain, voice, what was said, what was recognized, separated by bars.
enum MisheardSentences {
  struct Sentence: Sendable {
    var domain: String
    var voice: String
    var said: String
    var heard: String
    /// Counted in its domain.
    var number: Int
  }

  static let terms = [
    "chess": [
      "Winawer", "Tartakower", "Najdorf", "zugzwang", "zwischenzug", "fianchetto", "Grunfeld", "Benoni",
      "Caro", "Scheveningen",
    ],
    "jiujitsu": [
      "kimura", "omoplata", "berimbolo", "gogoplata", "ezekiel", "uchimata", "ashigarami", "kesagatame",
      "bogeyman", "armbar",
    ],
    "medicine": [
      "metoprolol", "apixaban", "bronchiectasis", "cholecystectomy", "tachypnea", "hyponatremia", "dyspnea",
      "furosemide", "thrombocytopenia", "pantoprazole",
    ],
  ]

  static let all: [Sentence] = {
    var counts: [String: Int] = [:]
    return table.split(separator: "\n").map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      defer { counts[fields[0], default: 0] += 1 }
      return Sentence(
        domain: fields[0], voice: fields[1], said: fields[2], heard: fields[3],
        number: counts[fields[0], default: 0])
    }
  }()

  private static let table = """
    chess|slt|he chose the Winawer variation again|he chose the way neither variation again
    chess|rms|the Winawer is a sharp line|the winner is a sharp line
    chess|awb|I lost with the Winawer yesterday|i lost with the with our yesterday
    chess|kal16|her favourite is the Winawer variation|our favorite is the winner variation
    chess|rms|the Tartakower defence is solid|the charger go order french is solid
    chess|awb|we studied the Tartakower last week|we studied the article or last week
    chess|kal16|white avoids the Tartakower defence|like avoids the article or defense
    chess|slt|the Tartakower suits quiet players|the charge a power suits client players
    chess|awb|the Najdorf variation needs courage|the madoff variation needs coverage
    chess|kal16|he knows the Najdorf by heart|he knows an abortion by heart
    chess|slt|the Najdorf was played twice today|then add on for is played twice today
    chess|rms|black answered with the Najdorf variation|black answered with a mentor for relation
    chess|kal16|he is in zugzwang now|he is and so does my mouth
    chess|slt|that was a beautiful zugzwang|that was a beautiful dogs rang
    chess|rms|zugzwang comes late in the game|some swelling comes laden the game
    chess|awb|white forces zugzwang with the king|white forces of this one with the game
    chess|slt|he missed the zwischenzug|he missed his first and sad
    chess|rms|the zwischenzug wins a piece|this wish and sub wins a piece
    chess|awb|look for a zwischenzug first|lewd photos which ends up first
    chess|kal16|a zwischenzug saved the bishop|those wish on sex and the bishop
    chess|rms|the fianchetto takes two moves|the fee and kyoto takes two moves
    chess|awb|black completes the fianchetto|like completes the fee on kettle
    chess|kal16|I like the fianchetto of the bishop|i like the fee yeah ditto of the bishop
    chess|slt|the fianchetto weakens the dark squares|the fee and at weekends the dark squares
    chess|awb|the Grunfeld defence gives up the centre|the ground felt defense gives up the center
    chess|kal16|she plays the Grunfeld with black|she plays the burnt out with black
    chess|slt|nobody expected the Grunfeld defence|nobody expected the grantham defense
    chess|rms|the Grunfeld leads to open games|the ground felt leads to open games
    chess|kal16|the Benoni defence is risky|the ban on a defense is risky
    chess|slt|he played the Benoni against me|he played the ban on e against me
    chess|rms|the Benoni gives black chances|the ban on a gift black chances
    chess|awb|white is better in the Benoni|why does better than the band or the
    chess|slt|the Caro Kann defence is safe|the current ten defenses safe
    chess|rms|I prefer the Caro Kann as black|i preferred the caro kann as black
    chess|awb|the Scheveningen variation is flexible|the show beaming and variation is flexible
    chess|kal16|she reached a Scheveningen position|she reached the shopping and position
    chess|rms|the Scheveningen keeps the centre small|the shirt printing and keeps the center small
    chess|awb|knight takes bishop and it is zugzwang|night takes bishop and it is up as wanting
    chess|kal16|after the fianchetto the bishop is strong|after the fee and that though the bishop is strong
    chess|slt|the Benoni and the Grunfeld are related|the ban on e and the grandfather related
    jiujitsu|slt|she won with a kimura|she won with the team era
    jiujitsu|rms|the kimura breaks his grip|the kimura breaks his group
    jiujitsu|awb|he escaped the kimura at once|he escaped the kimura at once
    jiujitsu|kal16|my coach teaches the kimura first|my coach to just looking for first
    jiujitsu|rms|the omoplata is a shoulder lock|the alma plot to his shoulder like
    jiujitsu|awb|an omoplata needs good hips|i know i'm up often needs good tips
    jiujitsu|kal16|we drilled the omoplata all evening|we drove fiona plots all evening
    jiujitsu|slt|he rolled out of the omoplata|here are all down at the on the planet
    jiujitsu|awb|the berimbolo leads to the back|the brim going to the back
    jiujitsu|kal16|young people love the berimbolo|don't people of the brim go up
    jiujitsu|slt|his berimbolo is very fast|his friend as very fast
    jiujitsu|rms|stop the berimbolo with your knees|stop the brim paulo with your knees
    jiujitsu|kal16|the gogoplata surprised everyone|the go go plot to surprise everyone
    jiujitsu|slt|I have never seen a gogoplata|i have never seen again the plot
    jiujitsu|rms|he tried a gogoplata twice|he tried to go the plot or twice
    jiujitsu|awb|the gogoplata uses the shin|the gold cup author uses a shame
    jiujitsu|slt|the ezekiel works with a sleeve|the ezekiel works with the sleeve
    jiujitsu|rms|she likes the ezekiel choke|she likes the ezekiel choke
    jiujitsu|awb|an ezekiel ended the match|and as a cue i ended the match
    jiujitsu|kal16|the ezekiel is hard to see|the ezekiel is hard to see
    jiujitsu|rms|the uchimata was perfect|the literature was perfect
    jiujitsu|awb|his uchimata scores two points|he is a term of this course two points
    jiujitsu|kal16|throw him with an uchimata|throw in with an ultimate to
    jiujitsu|slt|the uchimata needs timing|the antenna ten needs timing
    jiujitsu|awb|ashigarami controls the leg|i should only controls the leg
    jiujitsu|kal16|from ashigarami he found the heel|from a sugar ami the phone's appeal
    jiujitsu|slt|we begin in ashigarami|we began a massive air on me
    jiujitsu|rms|ashigarami is a leg position|the shooter ami is so like position
    jiujitsu|kal16|kesagatame pins the shoulders|kennesaw ga compensation overs
    jiujitsu|slt|hold kesagatame for a while|hell can sound odd time for a while
    jiujitsu|rms|she escaped from kesagatame|she escaped from care sa got time
    jiujitsu|awb|kesagatame is an old pin|kessel got tom is an open
    jiujitsu|slt|the bogeyman guard confused him|the bogeyman guard confused him
    jiujitsu|rms|nobody plays the bogeyman guard|nobody plays the bogeyman guard
    jiujitsu|awb|the armbar came quickly|the arm bar came quickly
    jiujitsu|kal16|he tapped to the armbar|the topic to the yard mark
    jiujitsu|rms|an armbar is the first lesson|an arm bar is the first lesson
    jiujitsu|awb|the kimura opens the armbar|the key that opens the arm bar
    jiujitsu|kal16|an omoplata after the berimbolo|and on the plot after the brim bowler
    jiujitsu|slt|the uchimata and then kesagatame|the antenna to an antacid on time
    medicine|slt|we stopped metoprolol last week|we stopped menopause last week
    medicine|rms|metoprolol slows the heart|mega pro all slows the heart
    medicine|awb|she forgot her metoprolol yesterday|she forgot to megatron lol yesterday
    medicine|kal16|his dose of metoprolol is too high|his ghost of mental problem is too high
    medicine|rms|apixaban thins the blood|epic siobhan thins the blood
    medicine|awb|he was given apixaban for the clot|he was given that picks up on for the cult
    medicine|kal16|stop apixaban before the operation|stop a pixar bomb before the operation
    medicine|slt|apixaban is safe for her|at exxon gonna say for her
    medicine|awb|the scan shows bronchiectasis|the scan shows up on treat ourselves
    medicine|kal16|bronchiectasis on the left side|ron to test us on the left side
    medicine|slt|her bronchiectasis is getting worse|for brown to pass it says adding worse
    medicine|rms|a child with bronchiectasis|the child with brown cheap testers
    medicine|kal16|the cholecystectomy went well|the choices start to me went well
    medicine|slt|she needs a cholecystectomy soon|she needs to chill is a step to me soon
    medicine|rms|cholecystectomy was done in march|chose to stick to me was done in march
    medicine|awb|a cholecystectomy takes an hour|to assist deck to me takes another
    medicine|slt|he has tachypnea and a cough|he has tad chechnya and a cop
    medicine|rms|tachypnea was seen at once|ketchup me it was seen at once
    medicine|awb|there is no tachypnea today|there is no topic here today
    medicine|kal16|tachypnea in a young woman|tested to in the young woman
    medicine|rms|the hyponatremia is mild|the hype in a tree mia is mild
    medicine|awb|hyponatremia after the long race|hi can retrieve the last of the long race
    medicine|kal16|treat the hyponatremia slowly|treat the hype and three meals slowly
    medicine|slt|her hyponatremia has resolved|her hype an entry me it has resolved
    medicine|awb|dyspnea when he walks|this beer when he walks
    medicine|kal16|she denies dyspnea at rest|she denies this may have breast
    medicine|slt|the dyspnea began on monday|the destiny and again on monday
    medicine|rms|dyspnea and swollen feet|just the early and swollen feet
    medicine|kal16|furosemide helps with the water|she rose semi copes with water
    medicine|slt|he needs more furosemide now|he needs my fear of semi now
    medicine|rms|furosemide was given at once|few rows to mind was given at once
    medicine|awb|we reduced the furosemide|we reduce the fuel semite
    medicine|slt|thrombocytopenia was found by chance|from the sun to be near was found by chance
    medicine|rms|her thrombocytopenia is stable|her from two to premium is stable
    medicine|awb|severe thrombocytopenia and bleeding|severe from person to be in on bleeding
    medicine|kal16|the cause of his thrombocytopenia|because of his thrombosis to the
    medicine|rms|pantoprazole protects the stomach|and chopper soul protect the stomach
    medicine|awb|she takes pantoprazole before breakfast|she takes on top puzzle before breakfast
    medicine|kal16|add pantoprazole to the list|and and bob russell to the list
    medicine|slt|metoprolol and apixaban for his heart|then the trial an epic sudden for his heart
    """
}
