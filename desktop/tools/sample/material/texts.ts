/** Files whose bytes are on the sample device, so that they can be opened. */
export const texts: Readonly<Record<string, string>> = {
  "boiler-report.md": `# Front house: boiler, January

- Fault: circulation pump, 14 years old
- Out from 06:40 to 12:55 the next day
- Two electric heaters lent (flats 5 and 6), soup in the common room for 19 people
- New pump: 412.80 euros, from the repair fund; warranty until January in five years
- To do: look at the pump of the back house before the next winter (Tomas)
`,
  "hyphen-words.txt": `goat-herd
knight-hood
leg-ends (wrong) -> leg-ends of chairs, legends of kings
light-house
man-slaughter
ther-a-pist
`,
  "letter.md": `Dear Ms Verhoeven,

you asked whether the booklets could be lent without their wrappers. They can, and we would be glad of it: a wrapper is
for the post, a booklet is for hands.

Four copies of each come with this letter, and one more of "Seven Horses", which tends not to come back.

Yours,
Ines, for the press
`,
  "offers.md": `| | North & Sons | Dachwerk |
| --- | --- | --- |
| Price | 6,900 | 7,750 |
| Start | next month | a month later |
| Warranty | 2 years | 5 years |
| Scaffold | extra | included |
`,
  "packing-list.md": `# Five days

Mateo: two ropes, the car, first aid
Jo: draws, slings, the guide book, enthusiasm
Nora: stove, pot, maps, the tent for three
Aylin: plasters that are not in Mateo's first aid, coffee
Ben: bananas
`,
  "recipe.md": `# For six, or four of us

- 500 g lentils, 2 onions, 3 carrots, a stick of celery
- a tin of tomatoes, a glass of the wine that is open anyway
- caraway, bay, salt; vinegar at the end

Onions first, slowly, until they look right. Then everything else, for an hour. Vinegar. Bread.
`,
};
