/** A climbing group that meets on Tuesdays. See `script.ts` for the format. */
export const climbers = `
== general @10-15
jo: WHO is in tonight?? I am there from {hour}
ben: me
mateo: In. Bringing my own tape this time
nora: Half an hour late, start without me
jo: EXCELLENT [+🧗 ben, mateo]

== general
jo: who is in on {weekday}?
nora: Not this week, deadline. Climb one for me
jo: I will name the {colour} one after you
ben: you mean the one she fell off [reply]
nora: I descended quickly [+😂 jo, mateo]

== general
mateo: That {colour} route on the {overhang|slab|long wall}: has anyone done the last move?
jo: YES. left foot way out, then trust it
mateo: I trusted it. It did not trust me
ben: same. same bruise too [file: bruise-{n}.jpg]
jo: you were SO close, one more session [+💜 mateo, ben]

== general
ben: can someone lend me shoes, mine have a hole where the toe is
mateo: I have an old pair in {size}
ben: my feet are {size} and a half. i will suffer
jo: do NOT suffer, the desk rents good ones for three euros
ben: rented. feet are happy. thx [edit: rented. feet are happy. thank you both]

== general
nora: I did the {colour} one!!! The one from {month}!
jo: NORAAA [+🎉 ben, mateo, aylin]
ben: without resting?
nora: With one rest and a small prayer
mateo: Counts. Everything counts

== general
mateo: New setting on the {slab|cave|island}. It is all {pinches|slopers|crimps}
jo: finally something for my people
nora: Who are your people?
jo: people with NO finger strength and a lot of optimism [+😂 mateo, ben, nora]

== general
aylin: I have a free {weekday} for once. Is anyone going?
jo: for you, always. seven?
aylin: Seven. I have forgotten how to tie in
jo: figure eight. it remembers YOU
aylin: It did! Arms are noodles. I type this with my nose [+🍝 jo, nora]

== general
jo: reminder that we owe the hall {n} euros for the group cards
mateo: Sent
ben: sent
nora: Sent. What did you put in the subject, Ben
ben: moin [+😂 jo, mateo]

== general
mateo: My finger says no for two weeks. A1 pulley, nothing dramatic
jo: nooo. REST it. properly
aylin: As your unpaid nurse: ice today, then keep moving it gently, and no hanging. Come to me if it swells.
mateo: Yes, ma'am [reply] [+🫡 nora, ben]
ben: you can belay me. i fall a lot, its exercise

== general
nora: I left my {lostthing} at the hall, has anyone seen it?
ben: by the water fountain
jo: got it, you get it back on {weekday}
nora: You are good people

== general
jo: film night after climbing? the one about the {wall in Norway|two sisters|old man and the crack}
ben: yes
mateo: Yes, and I bring {snack}
nora: My place. The projector works again, thanks to Tomas [+🍿 jo, ben, mateo]

== beta
ben: how do you do the start on the {colour} {n}
jo: heel hook!!
mateo: Do not heel hook. Flag right, and stand up slowly
ben: i did both and fell twice
jo: science [+🔬 mateo, nora]

== beta
nora: Drew the sequence of the {colour} one, because I cannot remember anything above the third hold [file: beta-{n}.png]
jo: THIS IS ART
mateo: Move four is wrong, it is a gaston
nora: Move four is artistic licence [+🎨 jo, ben]

== beta
mateo: Warm-up that saved my shoulders: ten minutes easy, band pulls, two easy traverses. I know it is dull
jo: it is SO dull. it works though
ben: i walk up the stairs to the hall. does that count
mateo: Which stairs? It is on the ground floor [+😂 nora, jo]

== beta
jo: grip question: full crimp, yes or no
mateo: Half. Always half, when you have the choice
aylin: I see what full crimps do, on Mondays. Half.
jo: ok ok HALF [+👍 mateo]

== trips 4-9 @10-15
jo: weather for {weekday} looks PERFECT. {crag}?
mateo: In. I can drive, four seats
nora: In, if we are back by eight
ben: in. i have no rope but i have bananas
jo: mateo rope, me draws, ben bananas. meet {hour} at the bridge [+🍌 mateo, nora, ben]

== trips 4-9
mateo: Back from {crag}. {n} routes, no injuries, one lost banana
jo: photos!! [file: crag-{n}.jpg]
nora: I look as if I knew what I was doing
ben: you screamed the whole way up
nora: With confidence [+❤️ jo, mateo]

== trips 4-9
ben: its raining at {crag}
jo: it is raining EVERYWHERE
mateo: The radar clears at {hour}
jo: we wait in the café then
mateo: Four hours and {n} pieces of cake later: it did not clear [+🍰 nora, jo, ben]

== trips 11-3
mateo: Found cheap flights for {nextmonth}. Limestone, sun, very bad instant coffee
jo: I am packed
nora: Jo, it is {n} weeks away
jo: I AM PACKED
ben: can students pay in bananas [+😂 mateo, nora]

== trips once 5
jo: OK. the big trip. five days, the long weekend. who is REALLY in
mateo: Really in
nora: Really in, train tickets bought
ben: really in, if i pass the exam on the friday
aylin: I got the days off!! I cannot believe it
jo: I am crying in the office [+🎉 nora, ben, mateo, aylin]
mateo: Packing list, with who brings what. Please read it before you ask me. [text: packing-list.md]
ben: what should i bring
mateo: Ben. [+😂 jo, nora, aylin]
nora: Five days, one tent, two of us still friends. Best trip. [file: summit.jpg] [+❤️ jo, ben, aylin, mateo]
ben: PASSED. also the exam
`;
