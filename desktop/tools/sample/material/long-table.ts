/** Board games and long dinners. See `script.ts` for the format. */
export const longTable = `
== general
ines: Table on {weekday}, {hour}. Six chairs, who takes one?
luca: Me, and I bring {bread}
kofi: me
nora: Me!
jo: me, straight from climbing, so I will eat EVERYTHING
ines: Five, and the cat takes the sixth [+🐈 nora, luca]

== general
kofi: what are we playing
ines: {game}, if everyone swears to have read the rules
kofi: i swear
ines: You swore in {month} as well
kofi: i am consistent [+😂 nora, jo, luca]

== general
ines: Result of the evening: {player} won {game} by {n} points
jo: by LUCK
ines: By having read the rules.
kofi: rematch [+⚔️ jo, nora]

== general @18-19
nora: I may be late, the tram stands at the {bridge|market|hospital} and thinks
ines: We begin without you, and you get the colour that nobody wants
nora: Not brown
ines: You are brown. [+🟤 kofi, jo]

== general
luca: Who is vegetarian on {weekday}? I lose track
nora: Me, on even days
kofi: me, always
jo: me until I see the sausages
luca: Then I make {dish}, and the sausages stay at home [+🌱 kofi, nora]

== general
ines: The big pot is not where it belongs
kofi: i have it. i made {dish} for eleven people and then seven came
ines: And the other four portions?
kofi: breakfast [+😂 luca, nora, jo]

== general
walter: Am I the only one who thinks that {n} minutes of rules are too many for a {weekday}?
ines: We can take the short version of it
walter: There is a short version?
kofi: there has been a short version since {month}, walter
walter: I see. I will be there, then. [+❤️ ines]

== general
walter: The chairs at Kofi's are not made for people
kofi: what are they made for
walter: For the look of them
kofi: thank you
walter: It was not praise. I will bring a cushion. [+😂 ines, nora, luca]

== recipes
luca: Somebody asked for the {dish} of last week. Here it is, for six [text: recipe.md]
nora: It was me! Thank you
jo: what does "until it looks right" mean
luca: You will know
jo: I did NOT know. the neighbours did though [file: smoke-{n}.jpg] [+🔥 nora, kofi]

== recipes
kofi: what do i do with {n} {vegetable}
luca: Oven, 220, oil, salt, more salt than you think, forty minutes
kofi: and then
luca: And then you call us [+😋 nora, jo, ines]

== recipes
jo: can I replace {spice} with {spice2}
luca: You can do anything. You should not do that
jo: too late
luca: And?
jo: ...it was GOOD, luca [+😳 luca, nora]

== recipes
nora: My sourdough looks like {soupthing}
luca: Picture, please
nora: Here it is, I am ashamed [file: dough-{n}.jpg]
luca: It is only cold. Put it by the radiator and tell it something nice
nora: It doubled! I told it about the prize [+🥖 luca, ines]

== recipes
walter: A proper {cake} has no {spice} in it.
luca: A proper one has whatever was in the house
walter: My grandmother would disagree
luca: Mine would bring a fork. Come and try it, Walter
walter: It was acceptable. I had three pieces. [+🍰 ines, luca, nora]

== recipes 11-1
luca: The {spice} biscuits need to rest for a week. Nobody opens the tin
kofi: define opens
luca: Kofi.
kofi: they rest very well in me [+🍪 nora, jo]

== recipes 5-8
ines: Too hot to cook. Cold {dish}, melon, and the long table under the trees?
jo: YES
nora: I bring the blanket with the least holes
walter: Will there be wasps?
ines: There will be a plan against wasps.
kofi: there was no plan against wasps [+🐝 nora, jo, ines]

== games
kofi: rules question. in {game} may i trade on somebody else's turn
ines: No.
kofi: it doesnt say so
ines: Page {n}, second box, in bold. [file: rules-{n}.jpg]
kofi: i thought that was decoration [+😂 jo, nora]

== games
jo: found {game} at the flea market for {n} euros, only one piece missing!!
ines: Which one?
jo: the board
ines: Jo. [+💀 kofi, nora]
nora: I could draw one
jo: NORA [+❤️ ines, jo]

== games
ines: League table after this month: Nora {n}, Kofi one less, Jo "next month", and the cat
jo: the cat CHEATS
kofi: the cat reads the rules [+🐈 ines, nora]

== games
nora: Is {game} any good with two players?
ines: With the variant at the back. Otherwise one of you only watches
nora: Sofia likes to watch. Sofia won, by the way
ines: They always do [+😂 kofi]

== games 10-3
kofi: long game saturday? the nine hour one
ines: I am in, if there is soup in the middle
walter: Nine hours are not a game, they are a job
jo: a job with DRAGONS
walter: I can come for the soup. [+🐉 jo, kofi, ines]

== general once 3
dealzone: HOT OFFERS brand watches -80% today only, write me privately!!! [removed]
dealzone: limited!!! dont miss, first 50 people [removed]
kofi: who let this one in
ines: I did, by the open invite. Banned, and the invite has an end date now. [+👍 nora, luca, walter]
walter: I was looking for a watch, as it happens.
kofi: walter no [+😂 ines, nora, jo]

== general once 9
rolf: you people can't even play a simple game without talking about your feelings
ines: Rolf, that is the second time this evening. Please take a month off.
rolf: fine [removed]
walter: I rather like the part with the feelings. [+❤️ nora, ines, kofi, luca]
`;
