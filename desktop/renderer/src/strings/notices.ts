/** What a notification says. Texts are those of the messages, as plain text. */
export const notices = {
  title: (sender: string, room: string) => `${sender} in ${room}`,
  mention: (sender: string, room: string) => `${sender} mentioned you in ${room}`,
  several: (count: string, room: string) => `${count} new messages in ${room}`,
  line: (sender: string, text: string) => `${sender}: ${text}`,
};
