/**
 * Small talk: remarks, their speakers and possible answers. `*` is anybody in the room, and an answer comes from
 * somebody else; `@5-8` are hours of the day. Alternatives multiply them.
 */
export const smallTalk: Readonly<Record<string, string>> = {
  lindenhof: `
== general
*@5-9 {Morning|Good morning|Morning all}
- {Morning|Morning!|good morning}
- coffee first
- {Is it|Is it really} {Monday|Wednesday|Thursday} already?
- {Rain|Sun|Fog}, so far
luca@5-8 {Rolls|Pretzels|Croissants} {by|next to} the {door|mailboxes}, {six|nine|a dozen} of them
- {On my way|Coming|One for me, please}
- Already gone, I fear
- Thank you, Luca!
- you are feeding a whole house
aylin@6-8 {Night shift over|Off duty|Home at last}. Please be {quiet|gentle} until {noon|one|two}
- Sleep well!
- drill postponed
- I tiptoe
- Shutters are closed on our side
tomas {light|pump|bell|gate} {works again|is done|is fixed}
- Thank you, Tomas
- {That was quick|So quick|Magic}
- What was it?
- you are on the list for cake
hanne@8-19 The {bins|paper bins|glass bins} go out {tonight|this evening|tomorrow at six}, please
- Done
- I take ours with me
- {which ones|which bins} were it again
- Thank you for the reminder
ben {anyone got|has anyone got} {an egg|milk|a phone charger|an onion|a bicycle pump}
- {Third floor, ring twice|Come up|Door is open}
- on the stairs for you
- you owe me {two|three} by now
- Again? Yes
nora@15-18 The light in the yard is {beautiful|golden|silly} just now
- Seen it!
- it is from the bakery sign
- Makes up for the {rain|week}
*@17-19 {Who is|Is anyone} in the common room {tonight|this evening}?
- {Me|Us}, from {hour}
- Film, I think. Everybody is welcome
- not me, early day
- free as far as I can see
== garden
tomas@16-20 {frost|rain|storm} tonight. {cover the pots|close the cold frame|tie things down}
- Done
- On it
- Mine are inside already
- Thanks, I would have forgotten
aylin The first {radish|strawberry|pea|tomato}! I ate it without witnesses
- I saw it from the window
- how was it
- Gone before the photo, as ever
*@18-20 {Watered|Watering done}, {cans are|the can is} full again
- Thank you!
- {Tomorrow is me|I do tomorrow}
- the beans say thanks
== repairs
* The {gate|lift|cellar light|bell} {squeaks|flickers|hums} again
- i look at it {tonight|tomorrow}
- Since when?
- On the list
- It does it only in {wind|rain|the morning}
`,
  climbers: `
== general
jo@10-16 {Tonight|Later} someone? {Seven|Half past six|Eight}?
- In
- {Next time|Can't today|Not today}
- yes but slowly
- With pleasure
- {I bring|I have} the {tape|chalk|snacks}
ben {arms|fingers|legs} are {jelly|gone|soup}
- worth it
- Same here
- Sleep, eat, repeat
- That is how you know
mateo The hall is {empty|full|loud} {today|just now}
- {Coming|On my way} then
- Tuesday is always so
- good to know
nora@7-10 I dreamed of the {colour} {traverse|overhang|corner}
- and? did you send it
- I fell off it in mine
- That one is a nightmare, to be fair
* {Photos|Pictures} of {Tuesday|yesterday} are {up|in the folder}
- You are a hero
- why do I always look like that
- The third one!!
- Printed and on the fridge
* {Who has|Does anyone have} the {guide book|big bag|second rope|headlamp}?
- {Me|Here}
- Jo, I think
- in my hall, you can come any time
== beta
* The {colour} one by the {door|window|clock}: is it {left|right} hand first?
- right
- left
- {Both|Neither}, it is a jump
- Depends how tall you are
`,
  openpress: `
== general
kofi {covers|proofs|labels|posters} are {drying|printing|cut}
- {Lovely|Good|Great}!
- Photo?
- How many survived?
- I come by and smell them
priya {Back|I am back} in {ten|twenty} minutes, the {kettle|phone|door} calls
- ok
- take your time
- Bring me one of whatever it is
ines {Three|Two|Five} letters today, {one of them kind|all of them kind|one with a stamp I want}
- read us the kind one
- From where?
- {The stamp is mine|I collect those}
nora@19-23 Deep in page {n}. {Talk to me|Wake me} at {hour}
- will do
- {Good luck|Courage}
- Is there a horse
mateo {Two|Four} pages {to go|left}, then it is your turn, @Ines
- Ready when you are
- {No hurry|No rush}
- already made tea
* {Who has|Where is} the {long ruler|good knife|key to the cellar|cutting mat}?
- {On the shelf|Under the table|In the drawer}, where it always was
- Me, sorry
- kofi
- Next to the stapler that we do not mention
== issues
priya {Deployed|Shipped|Merged}. {Tell me|Please say so} if {something|anything} looks odd
- Looks good
- {Faster|It is faster}!
- {Clean|All fine} here
- my old files open too
kofi {is it me or|hm,} the {zoom|export|ruler} {jumps|is slow|hides}
- It was me, fixed in a minute
- Which version?
- not here
- On my machine as well
== layout
nora {New|Another} sketch for the {cover|back|flap} {is up|in the folder}
- yes
- {The second|The first} one, please
- I want it on a wall
- More air on the left?
`,
  longtable: `
== general
ines@10-16 {Soup|Table|Games} {tonight|on {weekday}}? {Door is open from|From} {hour}
- {Yes|Yes please|Me}
- {Late|A bit late}, but yes
- I bring {bread|wine|olives|a chair}
- Not this time, have a good one!
- what is the plan
kofi@9-11 {full|very full|still full} from {yesterday|last night}
- same
- It was the third helping
- no regrets
- {Thank you|Thanks} again for the evening!
walter@9-11 It was {loud|warm|late} {yesterday|last night}
- And did you like it?
- it was
- You stayed longest!
- {See you|Until} next time then, Walter
jo who has my {blue|green|big} {bowl|box|jumper}
- {Me|Guilty}
- It is on the coat stand
- The cat sleeps on it
- never seen it (I have it)
== recipes
luca Does {dill|tarragon|lovage|sorrel} {go with|belong to} {fish|potatoes|eggs}?
- {Always|Yes}
- no
- My mother says yes, so yes
- With more butter, anything does
== games
* {Rules|Score} question: {ties|the last round|draws}, who wins?
- {Whoever|The one who} has fewer cards
- nobody, we play another
- Page {n}
- The cat
`,
};
