import { ChatFrame } from "../frame/chat-frame.tsx";
import type { FrameRoute, FrameScreens } from "../frame/chat-frame.tsx";
import { HomePage } from "../home/home-page.tsx";
import { laterPart } from "../navigation/later-part.ts";

/** Only the home page comes with the frame; the others are fetched when they are opened. */
const SCREENS: FrameScreens = {
  Home: HomePage,
  Directory: laterPart(
    async () => (await import("../servers/directory/directory-screen.tsx")).DirectoryScreen,
  ),
  Chat: laterPart(async () => (await import("../chat/chat-screen.tsx")).ChatScreen),
  Dialogs: laterPart(async () => (await import("../servers/server-dialogs.tsx")).ServerDialogs),
};

/** Everything that needs an account, except for the settings. */
export function SignedInPage({ route }: { route: FrameRoute }) {
  return <ChatFrame route={route} screens={SCREENS} />;
}
