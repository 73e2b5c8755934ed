/** The people of the sample. `me` owns the device. */
export interface Person {
  readonly key: string;
  readonly username: string;
  readonly displayName: string;
  readonly cardText: string;
}

const person = (key: string, username: string, displayName: string, cardText: string): Person => ({
  key,
  username,
  displayName,
  cardText,
});

export const cast: readonly Person[] = [
  person("nora", "nora", "Nora", "Draws. Horses, mostly. Fourth floor, back house."),
  person("aylin", "aylin.k", "Aylin", "Nurse on nights, gardener on days. Speak softly before noon."),
  person("tomas", "tomas", "Tomas", "electrician, retired. not really retired"),
  person("hanne", "hanne", "Hanne", "Keeps the books of the Lindenhof. Readings are due by Friday."),
  person("luca", "luca", "Luca", "Baker. Up at four, so you need not be."),
  person("ben", "ben_", "ben", "student of something. borrowing an egg"),
  person("jo", "jo", "Jo", "YES"),
  person("mateo", "mateo.f", "Mateo", "Translates from four languages into two. Half crimps."),
  person("priya", "priya", "Priya", "Typesetting, and the tool for it. I read bug reports for pleasure."),
  person("kofi", "kofi", "kofi", "covers, staples, noise"),
  person("ines", "ines", "Ines", "Edits a small press. Owns the big pot. Has read the rules."),
  person("walter", "walter.h", "Walter", "Retired. Not convinced."),
  person("sofia", "sofia", "Sofia", "Nora's sister. Somebody has to be."),
  person("dealzone", "dealzone24", "DEAL ZONE", "best offers write me"),
  person("rolf", "rolf", "Rolf", ""),
];

export const me = "nora";
