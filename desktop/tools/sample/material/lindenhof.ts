/** A housing co-operative: its garden, laundry room and everything else. See `script.ts` for the format. */
export const lindenhof = `
== general @5-7
luca: {Morning|Good morning}, first batch is out. {bread} on the shelf by the mailboxes, take what you like
nora: You are the best thing about living here [+❤️ aylin, hanne]
aylin: just off the night shift and you have saved my {morning|life|week}
tomas: two left. one now [+😂 nora, luca]

== general
hanne: Reminder: house meeting on {weekday} at 19:30 in the common room. So far on the agenda: {topic}, the bicycle cellar, and a date for the summer party.
tomas: add the stairwell light please. still flickers
hanne: Added. [reply]
nora: I can take the minutes this time
hanne: Thank you, @Nora. That makes you the third person ever to volunteer. [+😅 aylin, nora]

== general
aylin: Is anyone at home in the {front house|back house}? I have ordered a parcel and I am stuck at the clinic until {hour}
tomas: i am. ring at my place
aylin: Thank you!! It is only {parcel}, nothing heavy
tomas: you said that about the drum kit [+😂 ben, nora, luca]

== general
ben: does anyone else have no internet
ben: asking on mobile data for a friend, the friend is me
tomas: router in the cellar had a red light. did the usual
nora: What is the usual?
tomas: off. coffee. on
ben: its back!! what kind of coffee [+☕ tomas]

== general
nora: Someone left {lostthing} on the bench by the gate. It is on the shelf with the lost things now
hanne: That may belong to the {Okafors|people from number 4|family upstairs}. I will ask.
hanne: It did. They send their thanks. [reply 2]

== general
tomas: who parked the blue van in front of the cellar door
ben: me, sorry!! moving a {furniture}, ten minutes
tomas: the delivery for luca is standing in the road
ben: moved, sory [edit: moved, sorry]
luca: All good, the flour is inside [+👍 tomas]

== general
aylin: The {neighbour} upstairs is practising the {instrument} again
ben: its the same four bars since {month}
nora: I have started to hum them at work
luca: I like it. At five in the morning it would be another matter
aylin: Please do not give them ideas [+😂 ben]

== general
hanne: The {utility} readings are due by Friday. Please send me a photo of the meter, or put a note in my box.
nora: Here is ours [file: meter-{n}.jpg]
ben: where is the meter
tomas: behind the thing you hung your coat on [+😂 nora, aylin]
hanne: Only the flat on the {first|second|third} floor is still missing.

== general
luca: Would anyone like to try a {bread} with {spice}? I am not sure of it
nora: Yes. Always yes
ben: on my way down
hanne: It is interesting. A little less {spice} next time, perhaps. [+🙏 luca]
luca: That is what I thought. Thank you for being honest!

== general
ben: found {n} {coins|spoons|socks} in the lift
tomas: the lift provides
nora: The lift takes, too. I am missing a glove since {month}

== general 12-2
aylin: It is snowing!!
nora: Really? I see only grey from my desk
aylin: From the {clinic roof|night bus|balcony}, look [file: snow-{n}.jpg]
ben: snowball fight at {hour}, the yard, no mercy
tomas: i clear the path first. then no mercy [+❄️ ben, aylin, luca]

== general 6-8
nora: It is {degrees} degrees in my flat. I am drawing with my feet in a bucket
ben: the cellar is 16. i live in the cellar now
hanne: Please close the shutters on the stairs before noon; it helps the upper floors a good deal.
luca: Ice cream from the market, in the common freezer, label says {flour|peas|do not eat}. It lies [+🍦 ben, nora, aylin]

== general 11-12
hanne: For the advent shelf we need a few more small things. So far: {n} candles, Luca's biscuits, a book from Nora.
aylin: I can bring the star from last year, if the mouse has left any of it
tomas: star is fine. i rewired it. it also blinks now
nora: Does it have to blink?
tomas: there is a switch. the switch does nothing [+😂 aylin, luca, hanne]

== general once 1 @6-7
tomas: boiler is out in the front house. i am down there
hanne: How bad is it? I can call the company now.
tomas: pump. no heating before tomorrow noon
aylin: I have two electric heaters, and the children on the second floor should have them first
nora: I can take people in for the evening. Soup and blankets
luca: The bakery oven stays warm until ten. Bring a chair [+❤️ nora, aylin, hanne, tomas]
hanne: Technician confirmed for 11:00. Thank you all; I will write to those who do not read here.
ben: i read here and i am at luca's already. theres pretzels
tomas: new pump is in. 61 degrees and rising [+🔥 nora, ben, aylin, luca]
hanne: Written up for the file, with the invoice. [text: boiler-report.md]

== general once 6
nora: The poster for the summer party, version three. I have hidden every one of you in it [file: summer-party.png]
aylin: Am I the heron?
nora: You are the heron, @Aylin
tomas: i am the ladder
nora: You are holding the ladder
tomas: fair [+😂 ben, hanne, luca]
luca: Why am I a pretzel. I am honoured
hanne: It is beautiful. May I print twelve?

== garden 3-5
aylin: The {vegetable} seedlings on the landing are taking over. Who wants some?
tomas: two for me
nora: I will take {n}, and trade you {herb} for them
aylin: Deal. They are by the window, the ones that look as if they want to leave [+🌱 tomas, nora]

== garden 3-6
tomas: compost is open again. no cooked food
ben: define cooked
tomas: if you have to ask, its cooked
nora: And no {citrus} peel, please, we talked about that
ben: that was ONE time [+😂 aylin, tomas]

== garden 5-9
nora: Who is on watering this week? The {vegetable} look thirsty
aylin: Me until {weekday}, then Ben
ben: yes. yes i am. i knew that
tomas: hose has a leak at the tap. i put tape on it. new washer tomorrow
nora: Beans are grateful already [file: beans-{n}.jpg] [+💧 aylin]

== garden 6-9
aylin: Harvest report: {n} {vegetable}, one enormous {vegetable}, and a very content snail
nora: Leave the snail
aylin: I have named it {snailname}
tomas: snail ate the last of my lettuce. its name is dinner [+😱 aylin, nora]

== garden 8-10
luca: Are the plums on the wall spoken for? I would like to make {cake}
hanne: They belong to everybody. As far as I am concerned, they belong to that cake.
nora: Ladder is in the shed, I will hold it
luca: Eleven kilos!! [file: plums-{n}.jpg] [+🤤 ben, aylin, nora]

== garden 9-11
tomas: leaves. saturday. ten. bring gloves
ben: is there soup
luca: There is soup
ben: i will be there at nine [+😂 tomas, luca]
aylin: I have the shift. I will eat the soup in spirit

== garden 10-3
nora: The robin is back on the {spade|fence|water butt}
aylin: !!! the same one?
nora: It looks at me as if we had met
tomas: it wants the worms. i dig, it supervises [+🐦 nora, aylin]

== garden
nora: Something has dug up the {herb} again
tomas: cat from number 4
aylin: That cat is innocent, I have known it since it was a kitten
tomas: the night camera says otherwise [file: night-camera-{n}.jpg]
aylin: I withdraw my statement [+😂 nora, ben, tomas]

== repairs
tomas: stairwell light second floor: done. it was {culprit}
nora: You are a treasure
tomas: i am an electrician [+👏 aylin, hanne]

== repairs
ben: the washing machine says E{n} and blinks at me
tomas: filter. bottom left. put a bowl under it
ben: no bowl. there is a lot of water
tomas: i am coming with a bowl
ben: we found a {coin|hair pin|toy dinosaur} and an entire sock
nora: Which side has the sock? I have been looking for mine since {month} [+😂 ben, tomas]

== repairs
aylin: Laundry room: has anyone got the key? It should be on the hook
nora: I have it, sorry! Bringing it down
hanne: Please put your name on the list when you take it; the list is beside the hook. It has been beside the hook since 2011. [+😅 nora]

== repairs
hanne: The lift inspection is on {weekday} between 8 and 11. It will stand still for about an hour.
aylin: I come home at 8 with my bicycle. I will be brave
tomas: i carry it
aylin: You are 71
tomas: its 14 kilos. so was the last one [+💪 aylin, nora]

== repairs
nora: Does anyone have a {tool} I could borrow until tomorrow?
tomas: three. which size
nora: There are sizes?
tomas: come by. i explain. there is coffee
nora: I now own opinions about {tool}s. Shelf is up, thank you! [file: shelf-{n}.jpg] [+👍 tomas]

== repairs
luca: The door of the bicycle cellar does not close any more
tomas: hinge or lock
luca: It makes a sound like a sad {goose|cello|tractor}
tomas: hinge
tomas: fixed. it makes no sound now. i miss it a little [+🪿 luca, nora]

== repairs
ben: can i drill on a {weekday}
hanne: Weekdays until 20:00, Saturdays until 13:00. Not on Sundays.
ben: its two holes
hanne: Then it will not take until 20:00. [+😂 nora, aylin, tomas]

== repairs 10-3
aylin: My radiator knocks. Three times, then a pause, then three times
tomas: air in it. or a ghost
aylin: It answers when I knock back
tomas: then bleed it first, talk later. key is in my box
aylin: Silent now. I feel a bit lonely [+👻 ben, nora, tomas]

== money
hanne: The accounts for {lastmonth} are done: {n} euros left in the repair fund, all rents in. The sheet is attached. [file: accounts-{n}.ods]
nora: Thank you for doing this every single month, Hanne [+❤️ luca, tomas, aylin]
hanne: It calms me.

== money
hanne: Two offers for the {roof|gutters|cellar windows}. The cheaper one could start in {nextmonth}, the better one a month later.
tomas: i know the second. they do clean work
nora: Then the second, if the fund allows
hanne: It does, just. I will put it to the meeting. [text: offers.md] [+👍 tomas, luca]

== money
ben: quick one: do i pay the {laundry|bicycle|freezer} thing to you or to the account
hanne: To the account, with your flat number in the subject. Not "moin" again, please.
ben: paid!! subject: "flat 9 (moin)" [+😂 nora, aylin]
`;
