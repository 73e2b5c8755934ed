/** What a notification says. Texts are those of the messages, as plain text. */
export const notices = {
  title: (sender: string, server: string) => `${sender} in ${server}`,
  mention: (sender: string, server: string) => `${sender} mentioned you in ${server}`,
  several: (count: string, server: string) => `${count} new messages in ${server}`,
  line: (sender: string, text: string) => `${sender}: ${text}`,
};
