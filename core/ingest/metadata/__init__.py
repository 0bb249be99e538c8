"""What files and their sidecars say in words and numbers: time, place, device, tags."""
