/** Volunteers of a small press and its typesetting tool, on another instance. See `script.ts` for the format. */
export const openPress = `
== general @8-9
priya: Good morning. Plan for today: {presstask}, then I answer the mail that has been staring at me
kofi: morning! i do covers until lunch. coffee first
nora: Drawing page {n}. It has a horse on it, so do not expect me before {weekday}
kofi: horses are just long dogs [+😂 nora, priya]

== general
kofi: stapler number {n} has left us
ines: It served well. It stapled badly, but it served
priya: There is money for a new one. The long-arm model this time
kofi: the long arm of the stapler [+🫡 ines, nora]

== general
ines: A library in {town} asks for {n} copies of the last issue!
kofi: WHAT
nora: A real library?
ines: With a stamp and everything. I answered yes before anyone could think about it [+🎉 kofi, nora, priya]

== general
priya: Postage goes up in {nextmonth}. The rate for a booklet is now {n} cents more.
kofi: then we make it lighter. remove the middle
nora: The middle is mine
kofi: the middle is very good and stays [+😂 nora, ines]

== general
mateo: The translation of {storytitle} is done, first pass. The pun on page two does not survive in Portuguese
ines: Is there another pun you could plant nearby?
mateo: There is one with a goose. It is worse
kofi: take the goose [+🪿 ines, nora]
mateo: The goose is in. [reply]

== general
ines: Folding evening on {weekday}? We have {n} booklets and four people
nora: I bring the bone folders
kofi: i bring music. no requests
priya: I bring the checklist
ines: We are done at ten. {n} booklets, one paper cut, no casualties [file: stack-{n}.jpg] [+📚 nora, kofi, priya]

== general
kofi: someone on the street READ one of ours. on the tram. i saw it
nora: Which one?
kofi: {storytitle}. she laughed at page four
ines: Page four! [+😭 nora, mateo]

== general
nora: The scan of page {n} came out blue again
priya: The profile of the scanner resets when somebody turns it off at the wall.
kofi: i turn it off at the wall
priya: I know. [+😂 nora, ines]
nora: Rescanned, it is black as it should be

== issues
priya: Release {version} is out: hanging punctuation, faster previews, and the page numbers no longer lie.
nora: Did they lie?
priya: After page 99, by one. Nobody has ever made anything with more than 99 pages, it seems.
kofi: challenge accepted [+👀 ines, priya]

== issues
kofi: the preview is white again
priya: Which version, and what did you last change?
kofi: {version}. i put in a picture with a {umlaut|space|emoji} in its name
priya: Found it: the name is escaped twice. Fixed on main; a test keeps it so.
kofi: you are a wizard
priya: I am a person with a debugger. [+🧙 kofi, nora]

== issues
mateo: Hyphenation breaks "{hyphenword}" in the wrong place
priya: That pattern file is from 1994. Could you send me five more such words?
mateo: hyphen-words.txt, there are thirty-one [text: hyphen-words.txt]
priya: Thirty-one, sorted, with sources. Thank you, @Mateo [+🙏 mateo]

== issues
nora: Could the grid be drawn behind the picture instead of over it?
priya: It could. The order was decided in {month} by me, without reasons.
priya: Done, with a key to switch it: G
nora: G for good [+❤️ priya]

== issues
priya: I would like to remove the old import format. Is anyone still using it?
kofi: what is it
priya: Exactly. It goes with {version}, and the notes say how to convert.
ines: My 2019 files! Convert first, please
priya: Converted all fourteen; they are in the shared folder. [+🙏 ines]

== issues
priya: The nightly build is red. A font moved house and did not tell anyone
kofi: fonts these days
priya: Pinned by its hash now. Green again. [+✅ nora, kofi]

== issues
kofi: can it do two colours and an overprint
priya: Since {month}. Look under Inks
kofi: i was looking under Colours, like a fool
nora: I looked under Page, for a week
priya: Then the menu is wrong, not you. I will rename it. [+💡 nora, kofi]

== layout
nora: Two drafts for the spread, A is calm and B is not [file: spread-{n}.png]
ines: B
kofi: b
mateo: A, but with the bird of B
nora: That is C, and it is the best of them [+🐦 ines, kofi, mateo]

== layout
kofi: title in {typeface} or {typeface2}
nora: {typeface}, but smaller than you want
ines: {typeface2}, and I will not explain myself
priya: Whichever of them has a licence that we can print.
kofi: {typeface} then [reply] [+😂 ines, nora]

== layout
ines: I need {n} words for the back cover, without "timely" and without "luminous"
mateo: "A booklet about {topicbook}, and about the people who could not stop talking of it"
ines: Yes. That is it [+✨ nora, kofi]

== layout
nora: The gutter eats my horse's nose
priya: Four millimetres to the left, or a horse with a shorter nose
nora: The horse stays as it is
priya: Then I move the whole spread. Done; the nose is safe. [+🐴 kofi, ines, nora]

== layout
kofi: printer says {n} days for the covers
ines: They said that in {month} as well
kofi: and then they were early! by an hour
ines: I would not build a calendar on it [+😅 kofi]

== layout
mateo: Proofs: I found "{typo}" on page {n}
ines: It was read by four people
mateo: By five now [file: proof-{n}.pdf]
nora: I would like it to stay. It is better than the word
ines: It does not stay. [+😂 kofi, mateo]

== fairs 3-10
ines: Table for the {town} fair is confirmed, number {n}, beside the stairs
kofi: beside the stairs is good. people rest there and then they buy
nora: I can do Saturday
mateo: I cannot come, but I can send the Portuguese ones in time [+👍 ines]

== fairs 3-10 @15-16
kofi: sold out of {storytitle} by {hour}!!
ines: Take orders and addresses, we print again
nora: Someone bought all seven horses. All seven [+🐴 kofi, priya, mateo]
priya: Orders so far: {n}. The sheet is shared.
kofi: my voice is gone. worth it [file: table-{n}.jpg]

== fairs once 10
ines: Friends: the long list of the small press prize is out.
kofi: and
ines: And we are on it.
nora: WHAT
mateo: I am screaming quietly, in a train
priya: I have read it three times, and it does say our name. [+🎉 kofi, nora, mateo, ines]
kofi: we used a stapler that does not close
ines: We did. [+❤️ nora, priya, kofi, mateo]
`;
