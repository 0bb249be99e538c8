"""What lies in the user's folders: walked, paired, compared with the library, watched."""
