/** Direct conversations; `me` owns the device. See `script.ts` for the format. */
export const withAylin = `
== direct @0-3
aylin: {Are you awake|Still up}?
me: Always, at this hour. Bad shift?
aylin: Long one. A good ending, though. I only wanted to tell somebody
me: Tell me
aylin: {An old man|A girl of six|A baker of eighty} asked me whether I was a {doctor|angel|student}, and before I could answer: "no, you look too tired for that"
me: I would like to draw that
aylin: Please do not draw me at four in the morning [+😂 me]

== direct
me: Your {parcel} is at my place
aylin: You are an angel. I come at {hour}, is that too late?
me: There is soup until eleven
aylin: Then I come at ten fifty-nine [+🍜 me]

== direct
aylin: Can I borrow your {furniture} on {weekday}? My parents are visiting
me: Of course. Do they still believe that you can cook?
aylin: They do, and I need your {dish} as well
me: Friendship has its price: you water the beans for a week [+🤝 aylin]

== direct
me: I finished page {n}
aylin: The one with the horse??
me: The one with the horse
aylin: I am proud of you and of the horse [+❤️ me]
`;

export const withSofia = `
== direct
sofia: Mum asks whether you come in {nextmonth}
me: Tell her yes, before I find a reason not to
sofia: She has made a list of what you like to eat. {dish} is on it four times
me: I was seven once and she has never let it go [+😂 sofia]

== direct
sofia: look what I found in the cellar [file: old-photo-{n}.jpg]
me: Oh no. The {haircut|jumper|sandals}
sofia: I send it to the whole family unless I get a drawing
me: A small one?
sofia: A4. In colour. [+😈 sofia]

== direct @12-17
me: Call tonight?
sofia: After {hour}, when the little one sleeps
me: Give her a kiss from the aunt with the horses
sofia: She gave one back, it was mostly {porridge|banana|glue} [+🥰 me]

== direct
sofia: How do I get the {umlaut|big file|receipt} out of this PDF
me: Which program?
sofia: The one that you told me to use and I said no
me: Then use that one
sofia: It worked. Do not say anything
me: I say nothing. Loudly [+🤐 sofia]

== direct
sofia: did you eat
me: Define eat
sofia: Nora.
me: I am cooking {dish} as we speak
sofia: I see you online in three places [+👀 me]
`;

export const withMateo = `
== direct
mateo: Do you have a minute for one sentence?
me: For you even two
mateo: "{sentence}": is that English?
me: It is, but nobody would say it. Try it without the second half
mateo: It is better. It is much better. Thank you

== direct
me: Lift on {weekday}? My bag is heavy and my knees are old
mateo: You are thirty-four
me: My knees read a lot
mateo: {hour}, in front of the bakery [+🚗 me]

== direct
mateo: I have been thinking about the offer in {town}
me: And?
mateo: It is a good job, and there is no rock within {n} kilometres
me: So no
mateo: So perhaps. Do not tell Jo yet
me: My mouth is a cave [+🦇 mateo]
`;

export const withInes = `
== direct
ines: Have you seen the numbers? {n} preorders
me: I have seen them and closed the window, so that they could not change
ines: They changed. Up. [+🎉 me]

== direct
me: May I put Walter beside the window on {weekday}? He likes to see who comes
ines: He asked me the same about you
me: Then both of us get the window [+🪟 ines]

== direct
ines: Draft of the letter to the library, please be cruel [text: letter.md]
me: Second paragraph is you, the first is a form. Begin with the second
ines: Ouch. Yes. Thank you
`;
